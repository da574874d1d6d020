const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted when somebody wants us to end: by a signal, or by ending the command that started us, which closes our channel to it.
 * Being asked twice is being asked once: what is left to do then takes seconds and has to be done.
 */
export function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => asked.abort());
  process.once('disconnect', () => asked.abort());
  return asked.signal;
}
