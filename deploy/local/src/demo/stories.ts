import type { Story } from './ending.js';
import { invoicesStory } from './invoices/story.js';
import { isExpected, reportLines } from './report.js';
import { leaveOldEvent, playStory } from './story.js';

const ordersStory: Story = {
  setting: { beforeServices: leaveOldEvent },
  play: async (system, stop, say) => {
    const outcome = await playStory(system, stop, say);
    return { outcome, lines: reportLines(outcome), isExpected: isExpected(outcome) };
  },
};

export const stories = { orders: ordersStory, invoices: invoicesStory } as const satisfies Record<string, Story>;
export type StoryName = keyof typeof stories;
export const storyNames = Object.keys(stories) as StoryName[];
