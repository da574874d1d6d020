// What a limit's process and the benchmark tell each other.

export interface LimitSettings {
  readonly brokers: string;
  readonly databaseUrl: string;
  readonly topic: string;
  /** One for each backlog. */
  readonly slots: readonly [string, string];
  /** Events in a backlog. */
  readonly rows: number;
}

export interface LimitReport {
  readonly events: number;
  /** From the first event to the last. */
  readonly seconds: number;
  /** Used meanwhile. */
  readonly cpuSeconds: number;
}

export const limitSettings = (): LimitSettings => JSON.parse(process.argv[2]!) as LimitSettings;

/** Works off a backlog whenever the benchmark asks for it; ends with the benchmark. */
export function answer(workOff: (backlog: number) => Promise<LimitReport>): void {
  const send = (report: LimitReport) => void process.send!(report);
  const giveUp = (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  };
  process.on('message', (backlog: number) => void workOff(backlog).then(send, giveUp));
  process.on('disconnect', () => process.exit(0));
}

/** CPU seconds since `before`, as `process.cpuUsage()` told it. */
export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
