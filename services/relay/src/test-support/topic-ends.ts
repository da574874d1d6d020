import { testKafka } from '@shopflow/testing';

type Admin = ReturnType<ReturnType<typeof testKafka>['admin']>;

/** Looks at a topic again and again, quickly. */
export class TopicEnds {
  private constructor(
    private readonly admin: Admin,
    private readonly topic: string,
  ) {}

  static async of(topic: string): Promise<TopicEnds> {
    const admin = testKafka().admin();
    await admin.connect();
    return new TopicEnds(admin, topic);
  }

  /** Records that were ever written. */
  async records(): Promise<number> {
    const offsets = await this.admin.fetchTopicOffsets(this.topic);
    return offsets.reduce((sum, { high }) => sum + Number(high), 0);
  }

  /** Waits, without a pause between two looks, until there are more than this. */
  async exceed(records: number): Promise<number> {
    for (;;) {
      const now = await this.records();
      if (now > records) return now;
    }
  }

  async limitBatches(bytes: number): Promise<void> {
    const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
    await this.admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name: this.topic, configEntries }] });
  }

  async close(): Promise<void> {
    await this.admin.disconnect();
  }
}
