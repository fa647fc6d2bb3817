// Package pages runs the examples of the documentation: a page's files are
// written to an empty folder, its commands are run there in their order, and
// what they print must be what the page says.
//
// An HTML comment before a fenced block, which no reader sees, says what the
// block is:
//
//	<!-- file: NAME -->       the block is this file of the page's folder
//	<!-- patch: NAME -->      a diff block that changes this file
//	<!-- part: NAME -->       the block stands word for word in this file of
//	                          the folder, or of the repository
//	<!-- output: COMMAND -->  the block is among what the command prints
//	<!-- go: FOLDER -->       the commands run in FOLDER, whose Go code gets this repository
//	<!-- not run: REASON -->  the block cannot be run here
//	<!-- service: NAME -->    no block: from here on a stand-in of that name is
//	                          in reach, in the place of a real service
//	<!-- folder: PATH -->     no block: from here on this folder of the repository
//	                          is there too, under the same path
//	<!-- image: PATH -->      no block: this image of the repository is the file of
//	                          the same name that a command wrote
//
// Without one, a console block is commands with their output, an sh block is
// commands whose names and flags must exist, and an hcl block is a whole file
// that must be valid. A block without a language is a drawing. Every other block
// needs a comment.
package pages
