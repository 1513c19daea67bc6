"""Means of 4x4 pixels in 8 steps of gray: embryos of 320x128 become 80x32, a size that `standardise` enlarges again."""
import pathlib
import struct
import sys

for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.bmp")):
    data = path.read_bytes()
    start, width, height = struct.unpack("<I", data[10:14])[0], *struct.unpack("<ii", data[18:26])
    row = lambda y: data[start + 3 * width * y : start + 3 * width * (y + 1)]  # 3 * 320 needs no padding
    small = bytearray()
    for y in range(0, height, 4):
        for x in range(0, 3 * width, 12):
            for colour in range(3):
                block = [row(y + j)[x + 3 * i + colour] for j in range(4) for i in range(4)]
                small.append(sum(block) // 16 & 0xE0)
    header = bytearray(data[:start])
    struct.pack_into("<I", header, 2, start + len(small))
    struct.pack_into("<ii", header, 18, width // 4, height // 4)
    struct.pack_into("<I", header, 34, len(small))
    path.write_bytes(bytes(header) + bytes(small))
