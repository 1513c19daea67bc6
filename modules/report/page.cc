#include "report/page.h"

#include "report/style.h"

namespace flyscribe {

std::string RenderPage(const std::string& title, const Html& body) {
  // The policy forbids every load but the pictures inside the page.
  const Html head = Html::Trusted(
                        "<meta charset=\"utf-8\">"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">"
                        "<link rel=\"icon\" href=\"data:,\">") +
                    Element("title", Text(title)) + Element("style", PageStyle());
  return "<!DOCTYPE html>\n" + Element("html", {{"lang", "en"}}, Element("head", head) + body).str() + "\n";
}

}  // namespace flyscribe
