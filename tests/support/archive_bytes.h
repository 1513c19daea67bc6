// Archives made by hand, byte by byte, as no honest program would: for tests of core/archive.h.
#pragma once

#include <cstddef>
#include <string>

namespace flyscribe {

// One entry of a tar: the header of a ustar with a true checksum, and the content padded to 512 bytes. `type` as in the
// format: '0' a file, '1' a hard link, '2' a symbolic link, '3' a device, '5' a folder. The header says `claimed` bytes
// unless that is npos.
std::string TarEntry(const std::string& name,
                     const std::string& content,
                     char type = '0',
                     const std::string& link = {},
                     std::size_t claimed = std::string::npos);

// A file with a hole, as GNU tar writes them: `content` stands at its end, before it `hole` zeros that are not there.
std::string SparseTarEntry(const std::string& name, std::size_t hole, const std::string& content);

// What ends a tar.
std::string TarEnd();

// A frame of Zstandard that holds the bytes as they are; and one of a few bytes that unpacks to `count` zeros.
std::string ZstdFrame(const std::string& bytes);
std::string ZstdZeros(std::size_t count);

// With the seal of core/archive.h.
std::string Sealed(const std::string& bytes);

}  // namespace flyscribe
