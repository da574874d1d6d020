export { type CommandResult, runCommandLine } from './run-command-line.js';
export { type OptionKinds, type ParsedLine, readLine } from './read-line.js';
export { readTime } from './read-time.js';
export { table } from './table.js';
export { standardTerminal, type Terminal } from './terminal.js';
export { UsageError } from './usage-error.js';
