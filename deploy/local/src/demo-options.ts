import { readLine, UsageError } from '@shopflow/command-line';
import { type StoryName, storyNames } from './demo/stories.js';

export interface DemoOptions {
  /** Standard output is one line of JSON. */
  readonly json: boolean;
  readonly story: StoryName;
}

/** What is typed behind `npm run demo --`. @throws UsageError for anything that it does not know */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const { words, options } = readLine(args, { json: 'switch', story: 'text' });
  const story = storyNames.find((name) => name === (options.story ?? 'orders'));
  if (words.length === 0 && story !== undefined) return { json: options.json ?? false, story };
  const stranger = words[0] ?? `story ${JSON.stringify(options.story)}`;
  throw new UsageError(`npm run demo knows no ${stranger}; usage: npm run demo -- [--json] [--story ${storyNames.join(' | ')}]`);
}
