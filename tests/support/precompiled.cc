// The library of precompiled headers needs a source file; this is all there is in it.
