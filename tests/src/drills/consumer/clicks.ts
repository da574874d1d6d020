import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Database } from '@shopflow/database';
import { click, type Click, type Letter } from './click.js';
import { GROUP } from './settings.js';

/** Two operators, each a process, who do the same at the same time. */
export class Clicks {
  /** Asked for, and how many of those said that they did it. */
  readonly counts = { asked: 0, done: 0, unanswered: 0 };
  /** Letters for which more than one click said that it had done it. */
  readonly doubled: string[] = [];

  private constructor(
    private readonly database: Database,
    private readonly other: ChildProcess,
  ) {}

  static async start(databaseUrl: string): Promise<Clicks> {
    const database = await new Database({ url: databaseUrl, applicationName: 'operator-1' }).connect();
    const path = fileURLToPath(new URL('./second-operator.js', import.meta.url));
    const other = fork(path, [databaseUrl], { stdio: ['ignore', process.stderr, process.stderr, 'ipc'] });
    await once(other, 'message');
    return new Clicks(database, other);
  }

  /** The oldest first. @param kind of the keys; all when left out */
  async openLetters(kind = ''): Promise<Letter[]> {
    const { rows } = await this.database.query<Letter>(
      `SELECT source, event_id AS "eventId" FROM dead_letters
       WHERE consumer = $1 AND state = 'open' AND event_id LIKE $2 ORDER BY seq LIMIT 1000`,
      [GROUP, `%/ORD-${kind}%`],
    );
    return rows;
  }

  replay = (letter: Letter): Promise<void> => this.clickAll({ action: 'replay', letter });

  discard = (letter: Letter): Promise<void> => this.clickAll({ action: 'discard', letter });

  async stop(): Promise<void> {
    const ended = once(this.other, 'exit');
    this.other.disconnect();
    await Promise.all([ended, this.database.close()]);
  }

  /** A double click here and a single one there, at once. Only one of them may do it. */
  private async clickAll(asked: Click): Promise<void> {
    const elsewhere = once(this.other, 'message').then(([answer]) => answer as boolean | null);
    this.other.send(asked);
    const answers = await Promise.all([click(this.database, asked), click(this.database, asked), elsewhere]);
    const done = answers.filter((answer) => answer === true).length;
    this.counts.asked += answers.length;
    this.counts.done += done;
    this.counts.unanswered += answers.filter((answer) => answer === null).length;
    if (done > 1) this.doubled.push(asked.letter.eventId);
  }
}
