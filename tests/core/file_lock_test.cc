#include "core/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::Optional;

// A process that holds the lock until it is killed.
class Holder {
 public:
  explicit Holder(const fs::path& file) {
    std::array<int, 2> pipe_ends{};
    EXPECT_EQ(pipe(pipe_ends.data()), 0);
    process_ = fork();
    if (process_ == 0) {
      const auto lock = FileLock::TryAcquire(file, "the child");
      const char answer = lock ? 'y' : 'n';
      if (write(pipe_ends[1], &answer, 1) != 1) _exit(1);
      while (true) pause();
    }
    char answer = '?';
    EXPECT_EQ(read(pipe_ends[0], &answer, 1), 1);
    holds_ = answer == 'y';
    close(pipe_ends[0]);
    close(pipe_ends[1]);
  }
  ~Holder() { Kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  bool holds() const { return holds_; }
  void Kill() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  pid_t process_ = 0;
  bool holds_ = false;
};

class FileLockTest : public testing::Test {
 protected:
  TempFolder folder_;
  fs::path file_ = folder_ / "locks" / "key";
};

TEST_F(FileLockTest, ExcludesAndSaysWhoHoldsIt) {
  auto lock = FileLock::TryAcquire(file_, "learn for 4-6");
  ASSERT_TRUE(lock.has_value()) << "the folder is made";
  EXPECT_TRUE(lock->enforced());
  EXPECT_FALSE(FileLock::TryAcquire(file_, "another").has_value());
  EXPECT_THAT(LockHolder(file_), Optional(std::string("learn for 4-6"))) << "who came second wrote nothing";
  EXPECT_TRUE(FileLock::TryAcquire(folder_ / "locks" / "other", "x").has_value());
  lock.reset();
  EXPECT_FALSE(fs::exists(file_)) << "removed on release";
  EXPECT_FALSE(LockHolder(file_).has_value());
  EXPECT_TRUE(FileLock::TryAcquire(file_, "another").has_value());
}

TEST_F(FileLockTest, ItEndsWithItsProcess) {
  Holder holder(file_);
  ASSERT_TRUE(holder.holds());
  EXPECT_FALSE(FileLock::TryAcquire(file_, "us").has_value());
  EXPECT_THAT(LockHolder(file_), Optional(std::string("the child")));
  holder.Kill();
  EXPECT_TRUE(fs::exists(file_)) << "a killed process removes nothing";
  EXPECT_FALSE(LockHolder(file_).has_value());
  const auto lock = FileLock::TryAcquire(file_, "us");
  ASSERT_TRUE(lock.has_value());
  EXPECT_THAT(LockHolder(file_), Optional(std::string("us"))) << "nothing is left of the longer text";
}

TEST_F(FileLockTest, ThreadsExcludeEachOther) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 400;
  std::atomic<int> inside = 0;
  std::atomic<int> met = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds;) {
        const auto lock = FileLock::TryAcquire(file_, "thread");
        if (lock) {
          ++round;
          if (++inside != 1) ++met;
        }
        std::this_thread::yield();  // long enough for one who locked the file that the holder before had removed
        if (lock) --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(met, 0);
}

TEST_F(FileLockTest, LookingTakesAndMakesNothing) {
  EXPECT_FALSE(LockHolder(file_).has_value());
  EXPECT_FALSE(fs::exists(file_));
  folder_.Write("locks/key", "process 7 on lab-3");
  EXPECT_FALSE(LockHolder(file_).has_value());
  EXPECT_EQ(ReadFile(file_), "process 7 on lab-3");
  const auto lock = FileLock::TryAcquire(file_, "us");
  for (int i = 0; i < 3; ++i) EXPECT_THAT(LockHolder(file_), Optional(std::string("us")));
  EXPECT_FALSE(FileLock::TryAcquire(file_, "another").has_value()) << "it is still held";
}

TEST_F(FileLockTest, WhatCannotBeLookedAtCountsAsHeld) {
  folder_.Write("locks/key", "process 7 on lab-3");
  fs::permissions(file_.parent_path(), fs::no_perms);
  fs::permissions(folder_.path(), fs::all_all);
  {
    const AsOrdinaryUser user;
    EXPECT_THAT(LockHolder(file_), Optional(std::string("somebody unknown (Permission denied)")));
    EXPECT_FALSE(LockHolder(folder_ / "none/key").has_value());
  }
  fs::permissions(file_.parent_path(), fs::owner_all);
  EXPECT_FALSE(LockHolder(file_ / "below a file").has_value());
}

TEST_F(FileLockTest, MovesWithItsOwner) {
  auto first = FileLock::TryAcquire(file_, "first");
  auto second = FileLock::TryAcquire(folder_ / "second", "second");
  ASSERT_TRUE(first && second);
  {
    const FileLock taken = std::move(*first);
    first.reset();
    EXPECT_TRUE(LockHolder(file_).has_value()) << "what was moved from releases nothing";
  }
  EXPECT_FALSE(fs::exists(file_));
  first = FileLock::TryAcquire(file_, "first");
  *first = std::move(*second);
  second.reset();
  EXPECT_FALSE(LockHolder(file_).has_value()) << "what was there before is released";
  EXPECT_THAT(LockHolder(folder_ / "second"), Optional(std::string("second")));
}

TEST_F(FileLockTest, FilesAndFoldersInTheWay) {
  folder_.Write("locks", "a file");
  const CaughtError file = ExpectError([&] { FileLock::TryAcquire(file_, "us"); });
  EXPECT_EQ(file.code, ErrorCode::kDisk);
  EXPECT_THAT(file.text, testing::HasSubstr("locks: error: cannot write: "));
  const CaughtError blocked = ExpectError([&] { FileLock::TryAcquire(folder_.path(), "us"); });
  EXPECT_EQ(blocked.code, ErrorCode::kDisk);
  EXPECT_EQ(blocked.text,
            folder_.path().string() +
                ": error: cannot write: Is a directory\n  hint: a folder is in the way where a file is needed");
}

// Takes the lock where something else lies, which must be refused.
void ExpectRefused(const fs::path& file, const std::string& what) {
  const CaughtError error = ExpectError([&] { FileLock::TryAcquire(file, "us"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(error.text,
            file.string() + ": error: " + what +
                " is in the place of a lock file\n  hint: it was left as it is; move it away and give the same command "
                "again");
  EXPECT_FALSE(LockHolder(file).has_value());
}

TEST_F(FileLockTest, LinksAreNotFollowed) {
  const fs::path precious = folder_.Write("precious", "years of work");
  CreateFolder(file_.parent_path());
  fs::create_symlink(precious, file_);
  ExpectRefused(file_, "a symbolic link");
  fs::remove(file_);
  fs::create_symlink("nowhere", file_);
  ExpectRefused(file_, "a symbolic link");
  EXPECT_FALSE(fs::exists(folder_ / "locks" / "nowhere")) << "nothing is made there";
  fs::remove(file_);
  fs::create_hard_link(precious, file_);
  ExpectRefused(file_, "a file that has another name too (a hard link)");
  EXPECT_TRUE(fs::exists(file_));
  EXPECT_EQ(ReadFile(precious), "years of work");
}

TEST_F(FileLockTest, WhatIsNoLockFileIsLeftAsItIs) {
  folder_.Write("locks/key", "years of work");
  ExpectRefused(file_, "a file of another kind");
  EXPECT_EQ(ReadFile(file_), "years of work");
  fs::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0666), 0);
  ExpectRefused(file_, "something that is no plain file");
}

TEST_F(FileLockTest, WhatOthersLeftIsTaken) {
  const std::string zeros(20, '\0');  // after a power cut
  for (const std::string& left :
       {std::string(), zeros, std::string("process 4711 on lab-3"), std::string("cleaning up")}) {
    folder_.Write("locks/key", left);
    EXPECT_TRUE(FileLock::TryAcquire(file_, "us").has_value()) << left;
  }
}

TEST_F(FileLockTest, WhatWasPutInItsPlaceIsNotRemoved) {
  auto lock = FileLock::TryAcquire(file_, "us");
  fs::remove(file_);
  folder_.Write("locks/key", "years of work");
  lock.reset();
  EXPECT_EQ(ReadFile(file_), "years of work");
}

TEST_F(FileLockTest, UnwritableFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  CreateFolder(file_.parent_path());
  fs::permissions(file_.parent_path(), fs::owner_read | fs::owner_exe);
  const CaughtError error = ExpectError([&] { FileLock::TryAcquire(file_, "us"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_THAT(error.text, testing::StartsWith(file_.string() + ": error: cannot write: Permission denied\n  hint: "));
}

}  // namespace
}  // namespace flyscribe
