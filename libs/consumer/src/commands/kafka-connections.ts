import { GroupAdministration, RecordReader } from '@shopflow/kafka';
import { createLogger } from '@shopflow/telemetry';
import type { OperatingContext } from './operated-group.js';

/** What the client has to say comes back as errors: the terminal belongs to the answer. */
const connectionOf = ({ kafka }: Pick<OperatingContext, 'kafka'>) => ({
  ...kafka,
  clientId: 'operator',
  logger: createLogger('operator', 'silent'),
});

export async function withAdministration<T>(
  context: Pick<OperatingContext, 'kafka'>,
  work: (admin: GroupAdministration) => Promise<T>,
): Promise<T> {
  const admin = await GroupAdministration.connect(connectionOf(context));
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}

export async function withReader<T>(context: Pick<OperatingContext, 'kafka'>, work: (reader: RecordReader) => Promise<T>): Promise<T> {
  const reader = await RecordReader.connect(connectionOf(context));
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}
