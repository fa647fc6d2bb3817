// Package mcp is `scenario mcp`: the command as tools of the Model Context Protocol,
// for agents that write scenarios. The protocol is the SDK's. A tool is a command
// line that a process of its own runs, so that a call ends in time whatever its file
// asks for; that process sees the files below one directory, with those of the call
// in the place of what is on the disk, and no variable of the environment.
package mcp
