/** Why the command cannot run, in words for the person who typed it. */
export class BootstrapError extends Error {}
