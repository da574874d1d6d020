import { readFileSync } from 'node:fs';

export interface Usage {
  /** Used so far by all threads of the process. */
  readonly cpuSeconds: number;
  /** The largest resident set so far. */
  readonly peakMb: number;
}

const TICKS_PER_SECOND = 100;

/** What Linux says of a process. @throws Error with its last words when it has ended */
export function usageOf(pid: number, name: string, lastWords: () => string = () => ''): Usage {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const peakKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, peakMb: Math.round(Number(peakKb) / 1_024) };
  } catch (error) {
    throw new Error(`${name} has ended by itself, or this system has no /proc: ${lastWords()}`, { cause: error });
  }
}
