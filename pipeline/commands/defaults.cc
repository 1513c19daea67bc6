// flyscribe defaults [SECTION]: every option with its default, range and meaning.
#include <CLI/CLI.hpp>

#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/console.h"

namespace flyscribe {
namespace {

struct DefaultsArguments {
  std::string section;
  bool markdown = false;
};

}  // namespace

Command DefaultsCommand() {
  return {"defaults", "Print all options with defaults and meaning, as a config", [](CLI::App& app) {
            auto arguments = std::make_shared<DefaultsArguments>();
            app.add_option("section", arguments->section, "Only this section, such as learn");
            app.add_flag("--markdown", arguments->markdown, "As the page docs/configuration.md");
            return [arguments] {
              PrintResult(arguments->markdown ? ConfigurationPage() : DefaultsYaml(arguments->section));
              return 0;
            };
          }};
}

}  // namespace flyscribe
