// A second process that decides about dead letters, when it is told to. Ends with the drill.
import { Database } from '@shopflow/database';
import { click, type Click } from './click.js';

const database = await new Database({ url: process.argv[2]!, applicationName: 'operator-2' }).connect();
process.on('message', (asked: Click) => void click(database, asked).then((answer) => process.send!(answer)));
process.on('disconnect', () => process.exit(0));
process.send!('ready');
