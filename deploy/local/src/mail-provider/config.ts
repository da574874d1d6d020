import { readConfig, setting } from '@shopflow/config';
import Type from 'typebox';

export const readProviderConfig = () =>
  readConfig(
    Type.Object({
      port: setting.port({ default: 3025, meaning: 'port of the mail provider; 0 takes a free one' }),
      mailboxFile: setting.text({ default: 'mailbox.jsonl', meaning: 'file that keeps the accepted e-mails' }),
      host: setting.text({ default: '127.0.0.1', meaning: 'address to listen on' }),
    }),
  );
