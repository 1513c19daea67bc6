// Disks that are full or cannot be written to, as small file systems of their own where that is permitted.
#include <sys/mount.h>

#include "tests/integration/artifact_bytes.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class DiskTest : public Workspace {
 protected:
  DiskTest() {
    WriteTinyConfig();
    fs::create_directories(folder_ / "disk");
  }
  ~DiskTest() override {
    if (mounted_) umount((folder_ / "disk").c_str());
  }

  // False where it is not permitted.
  bool Mount(const std::string& size) {
    mounted_ = mount("none", (folder_ / "disk").c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    return mounted_;
  }
  bool Remount(const std::string& size, unsigned long flags) const {
    return mount("none", (folder_ / "disk").c_str(), "tmpfs", MS_REMOUNT | flags, ("size=" + size).c_str()) == 0;
  }
  ProgramResult RunOnDisk(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"run", "tiny.yaml", "--set", "cache.dir=disk/cache"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  }

 private:
  bool mounted_ = false;
};

TEST_F(DiskTest, WithoutRoomItStopsAndLeavesTheCacheConsistent) {
  if (!Mount("100m")) GTEST_SKIP() << "no file system can be mounted here";
  ASSERT_EQ(RunOnDisk().exit_code, 0);
  const auto whole = ArtifactBytes(folder_ / "disk" / "cache");
  const std::uint64_t kilobytes = [&] {
    std::uint64_t bytes = 0;
    for (const auto& [name, digest] : whole) bytes += fs::file_size(folder_ / "disk" / "cache" / name);
    return bytes / 1024;
  }();
  for (const int percent : {2, 40, 60, 75, 90, 97}) {
    fs::remove_all(folder_ / "disk" / "cache");
    ASSERT_TRUE(Remount(std::to_string(kilobytes * static_cast<std::uint64_t>(percent) / 100) + "k", 0));
    const ProgramResult full = RunOnDisk();
    EXPECT_EQ(full.exit_code, 8) << percent << " %: " << full.err;
    EXPECT_THAT(full.err, HasSubstr("No space left on device")) << percent;
    EXPECT_THAT(full.err, HasSubstr("free some space and run the same command again")) << percent;
    const fs::path unfinished = folder_ / "disk" / "cache" / "tmp";
    EXPECT_TRUE(!fs::exists(unfinished) || fs::is_empty(unfinished)) << percent;
    ASSERT_TRUE(Remount("100m", 0));
    EXPECT_EQ(Flyscribe({"cache", "verify", "--cache", "disk/cache"}).exit_code, 0) << percent;
    const ProgramResult again = RunOnDisk();
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(ArtifactBytes(folder_ / "disk" / "cache"), whole) << percent;
  }
}

TEST_F(DiskTest, AReadOnlyCacheServesItsHits) {
  if (!Mount("100m")) GTEST_SKIP() << "no file system can be mounted here";
  ASSERT_EQ(RunOnDisk().exit_code, 0);
  ASSERT_TRUE(Remount("100m", MS_RDONLY));
  const ProgramResult hits = RunOnDisk();
  EXPECT_EQ(hits.exit_code, 0) << hits.err;
  EXPECT_THAT(hits.out, HasSubstr("11 hits, 0 misses"));
  EXPECT_EQ(RunOnDisk({"--set", "cache.max_size=50MB"}).exit_code, 0) << "there is nothing to remove";
  for (const std::vector<std::string>& command : {std::vector<std::string>{"plan", "tiny.yaml"},
                                                  {"status", "tiny.yaml"},
                                                  {"why", "tiny.yaml", "learn"},
                                                  {"graph", "tiny.yaml"},
                                                  {"cache", "ls", "tiny.yaml"},
                                                  {"cache", "verify", "tiny.yaml"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--set", "cache.dir=disk/cache"});
    const ProgramResult look = Flyscribe(arguments);
    EXPECT_EQ(look.exit_code, 0) << command[0] << look.err;
  }
  const ProgramResult miss = RunOnDisk({"--set", "train.c=3"});
  EXPECT_EQ(miss.exit_code, 8);
  EXPECT_THAT(miss.err, HasSubstr("Read-only file system"));
  EXPECT_THAT(miss.err, HasSubstr("while running train for 4-6, fold-0"));
}

}  // namespace
}  // namespace flyscribe
