// flyscribe defaults: options with their meaning.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class DefaultsCommandTest : public Workspace {};

TEST_F(DefaultsCommandTest, DefaultsOfASection) {
  const ProgramResult all = Flyscribe({"defaults"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("learn:"));
  EXPECT_THAT(Flyscribe({"defaults", "learn"}).out, HasSubstr("lambda: 0.1"));
  EXPECT_THAT(Flyscribe({"defaults", "learn"}).out, Not(HasSubstr("pool:")));
  const ProgramResult unknown = Flyscribe({"defaults", "lern"});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'learn'?"));
}

TEST_F(DefaultsCommandTest, MarkdownIsThePageInDocs) {
  EXPECT_EQ(Flyscribe({"defaults", "--markdown"}).out,
            ReadFile(std::string(FLYSCRIBE_SOURCE_DIR) + "/docs/configuration.md"))
      << "run: build/release/flyscribe defaults --markdown > docs/configuration.md";
}

}  // namespace
}  // namespace flyscribe
