// One table of any kind: each of its rows says something that can be used, or is left out with a reason.
#include <set>

#include "corpus/source_tables.h"
#include "data/stage_range.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

template <class Row>
void CheckRow(const Row& row) {
  Promise(StageRange::FindCode(row.stage).has_value(), "a stage code is one of the table's");
  Promise(!row.gene.Identity().empty(), "a row names a gene");
  for (const std::string* name : {&row.gene.fbgn, &row.gene.cg, &row.gene.symbol}) {
    Promise(IsUtf8(*name) && name->find_first_of("\t\r\n") == std::string::npos, "a name fits into a table of ours");
  }
}

void CheckRows(const SourceRows& rows) {
  std::set<int> lines;
  for (const AnnotationRow& row : rows.annotations) {
    CheckRow(row);
    Promise(!row.term.empty() && IsUtf8(row.term), "an annotation has a term");
    Promise(row.term.find_first_of("\t\r\n") == std::string::npos, "a term fits into a table of ours");
    lines.insert(row.place.line);
  }
  for (const ImageRow& row : rows.images) {
    CheckRow(row);
    Promise(!row.Id().empty() && IsUtf8(row.Id()), "an image has a name");
    Promise(row.folder < rows.folders.size() || row.file.empty(), "a file lies in a folder");
    lines.insert(row.place.line);
  }
  for (const LeftOut& row : rows.left_out) {
    Promise(!row.reason.empty() && IsSafeToPrint(row.reason),
            "a row is left out for a reason: " + Printable(row.reason, 200));
    lines.insert(row.place.line);
  }
  Promise(lines.size() == rows.tables.at(0).rows, "every row is taken up or left out");
}

}  // namespace

void FuzzTable(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto rows = TryRead([&] {
    SourceRows read;
    ReadTable(file.path(), read);
    return read;
  });
  if (rows) CheckRows(*rows);
}

}  // namespace flyscribe
