// Reads tables of any kind that is known (table_format.h) into rows.
//
// Tolerant: comma or tab, quoted or not, UTF-8 or Latin-1, with or without a header line or byte order mark, packed by
// gzip or not, line ends of any kind. Every row ends up in `annotations` or `images`, or in `left_out` with its line
// and the reason; one row never stops a table.
//
// A table's kind is told by its header, or else by the shape most of its first rows have.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "corpus/source_rows.h"
#include "corpus/table_format.h"

namespace flyscribe {

// The kinds ReadTable knows.
std::vector<TableFormat> TableFormats();

// The text of a table, unpacked, as UTF-8. Throws Error(kInput) if it is missing, a folder, empty, damaged, larger than
// 1 GiB or UTF-16.
std::string ReadTableText(const fs::path& path);

// Adds the rows of one table. Throws Error(kInput) if it is missing, a folder, empty, damaged, larger than 1 GiB, of
// more than 3 million rows or 3 million terms and images, or of no known kind. `rows` is then of no use. Asks
// at each row whether to stop, and throws Error(kInterrupted) then.
void ReadTable(const fs::path& path, SourceRows& rows, const Progress& progress = NoProgress());

// Both tables, or what there is of them; a table that is named twice is read once. The folders are not looked into.
SourceRows ReadTables(const Sources& sources, const Progress& progress = NoProgress());

}  // namespace flyscribe
