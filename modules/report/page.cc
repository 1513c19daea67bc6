#include "report/page.h"

#include "report/assets.h"

namespace flyscribe {
namespace {

// `policy` says what may be loaded: nothing else is.
std::string Render(const std::string& title, const std::string& policy, const Html& style, const Html& body) {
  const Html head = Html::Trusted(R"(<meta charset="utf-8">)"
                                  R"(<meta name="viewport" content="width=device-width, initial-scale=1">)"
                                  R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; )" +
                                  policy + R"("><link rel="icon" href="data:,">)") +
                    Element("title", Text(title)) + style;
  return "<!DOCTYPE html>\n" + Element("html", {{"lang", "en"}}, Element("head", head) + body).str() + "\n";
}

}  // namespace

std::string RenderPage(const std::string& title, const Html& body) {
  // Nothing but the pictures inside the page.
  return Render(title,
                "img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
                Element("style", PageStyle()),
                body);
}

std::string RenderFolderPage(const std::string& title, const Html& body, const std::string& root) {
  // A page on disk is no origin of its own for every browser, so its scheme is named as well.
  const std::string policy =
      "img-src 'self' file: data:; style-src 'self' file: 'unsafe-inline'; script-src 'self' file:";
  const std::string path = EscapeHtml(root);
  const Html links = Html::Trusted(R"(<link rel="stylesheet" href=")" + path + R"(style.css"><script defer src=")" +
                                   path + R"(gallery.js"></script>)");
  return Render(title, policy, links, body);
}

}  // namespace flyscribe
