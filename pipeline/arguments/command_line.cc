#include "pipeline/arguments/command_line.h"

#include <CLI/CLI.hpp>

namespace flyscribe {

Argument Argument::Required() const {
  option_->required();
  return *this;
}

Argument Argument::Named(const std::string& value) const {
  option_->type_name(value);
  return *this;
}

Argument Argument::Between(std::int64_t low, std::int64_t high) const {
  option_->check(CLI::Range(low, high));
  return *this;
}

Argument Argument::OneOf(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

Argument Argument::SplitAt(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

Argument Argument::Repeatable() const {
  option_->expected(1)->allow_extra_args(false)->take_all();
  return *this;
}

Argument Argument::ShowDefault() const {
  option_->capture_default_str();
  return *this;
}

Argument Argument::Described(const std::string& doc) const {
  option_->description(doc);
  return *this;
}

Argument Argument::Excludes(const Argument& other) const {
  option_->excludes(other.option_);
  return *this;
}

Argument Argument::Needs(const Argument& other) const {
  option_->needs(other.option_);
  return *this;
}

Argument CommandLine::Value(const std::string& names, std::string& value, const std::string& doc) const {
  return Argument(app_->add_option(names, value, doc));
}

Argument CommandLine::Value(const std::string& names, int& value, const std::string& doc) const {
  return Argument(app_->add_option(names, value, doc));
}

Argument CommandLine::Value(const std::string& names, std::int64_t& value, const std::string& doc) const {
  return Argument(app_->add_option(names, value, doc));
}

Argument CommandLine::Value(const std::string& names, double& value, const std::string& doc) const {
  return Argument(app_->add_option(names, value, doc));
}

Argument CommandLine::Value(const std::string& names, std::vector<std::string>& values, const std::string& doc) const {
  return Argument(app_->add_option(names, values, doc));
}

Argument CommandLine::Flag(const std::string& names, bool& value, const std::string& doc) const {
  return Argument(app_->add_flag(names, value, doc));
}

Argument CommandLine::Value(const std::string& names,
                            const std::function<void(const std::string&)>& give,
                            const std::string& doc) const {
  return Argument(app_->add_option_function<std::string>(names, give, doc));
}

Argument CommandLine::Flag(const std::string& names, const std::function<void()>& give, const std::string& doc) const {
  return Argument(app_->add_flag_callback(names, give, doc));
}

Argument CommandLine::Find(const std::string& name) const { return Argument(app_->get_option(name)); }

CommandLine CommandLine::Subcommand(const std::string& name,
                                    const std::string& summary,
                                    const std::function<void()>& chosen) const {
  CLI::App* sub = app_->add_subcommand(name, summary);
  if (chosen) sub->callback(chosen);
  return CommandLine(*sub);
}

void CommandLine::RequireSubcommand(int low, int high) const {
  app_->require_subcommand(static_cast<std::size_t>(low), static_cast<std::size_t>(high));
}

}  // namespace flyscribe
