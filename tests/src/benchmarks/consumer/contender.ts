// What a contender's process and the benchmark tell each other.

export interface ContenderSettings {
  readonly brokers: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  /** The name on the broker. */
  readonly topic: string;
  readonly group: string;
  /** Per-key lanes; one event after the other when left out. */
  readonly lanes?: number;
  readonly partitionsAtOnce?: number;
}

export interface ContenderReport {
  /** Used since {@link ready}: loading the program is not what is measured. */
  readonly cpuSeconds: number;
  /** The largest resident set so far, in MB. */
  readonly rssMb: number;
  /** Of a contender without a database: records read, and the seconds from the first to the last. */
  readonly records: number;
  readonly seconds: number;
}

/** What a contender without a database has read so far. */
export type Progress = () => { readonly records: number; readonly seconds: number };

export const contenderSettings = (): ContenderSettings => JSON.parse(process.argv[2]!) as ContenderSettings;

/** Called when everything is loaded and reading begins. From now on the process answers, and ends with the benchmark. */
export function ready(progress: Progress = () => ({ records: 0, seconds: 0 })): void {
  const before = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before);
    const report: ContenderReport = {
      cpuSeconds: (user + system) / 1e6,
      rssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      ...progress(),
    };
    process.send!(report);
  });
  process.on('disconnect', () => process.exit(0));
}
