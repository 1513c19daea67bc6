// flyscribe defaults [SECTION]: every option with its default, range and meaning.

#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/paper/options.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {
namespace {

struct DefaultsArguments {
  std::string section;
  bool markdown = false;
};

}  // namespace

Command DefaultsCommand() {
  return {
      "defaults", "Print all options with defaults and meaning, as a config", [](const CommandLine& line) {
        auto arguments = std::make_shared<DefaultsArguments>();
        line.Value("section", arguments->section, "Only this section, such as learn");
        line.Flag("--markdown", arguments->markdown, "As the page docs/configuration.md");
        return [arguments] {
          Config config;
          ReproduceOptions reproduce;
          std::vector<ConfigSection> sections = config.Sections();
          sections.push_back(ReproduceSection(reproduce));
          PrintResult(arguments->markdown ? ConfigurationPage(sections) : DefaultsYaml(sections, arguments->section));
          return 0;
        };
      }};
}

}  // namespace flyscribe
