import { setTimeout as delay } from 'node:timers/promises';
import { SESSION_TIMEOUT_MS } from '../settings.js';
import { type DrawFault, seconds } from './fault.js';

export const killMember: DrawFault = (random, { members, regulars }) => {
  const member = random.one(members.slice(0, regulars));
  const ms = random.between(0, 4_000);
  return {
    name: 'kill -9',
    target: member.name,
    text: `kill -9 of ${member.name}, back after ${seconds(ms)}`,
    async run() {
      await member.kill();
      await delay(ms);
      await member.start();
    },
  };
};

/** Long enough to lose its partitions; some for longer than a transaction may stand still. */
export const freezeMember: DrawFault = (random, { members, regulars }) => {
  const member = random.one(members.slice(0, regulars));
  const ms = random.between(SESSION_TIMEOUT_MS + 1_000, random.chance(0.3) ? 20_000 : 9_000);
  return {
    name: 'freeze',
    target: member.name,
    text: `${member.name} stands still for ${seconds(ms)}`,
    async run() {
      member.freeze();
      await delay(ms);
      member.thaw();
    },
  };
};

/** One more member, which leaves again in an orderly way. */
export const joinAndLeave: DrawFault = (random, { members, regulars }) => {
  const member = random.one(members.slice(regulars));
  const ms = random.between(4_000, 20_000);
  return {
    name: 'join and leave',
    target: member.name,
    text: `${member.name} joins for ${seconds(ms)}`,
    async run() {
      await member.start();
      await delay(ms);
      await member.leave();
    },
  };
};

/** As a deploy does it. */
export const redeployMember: DrawFault = (random, { members, regulars }) => {
  const member = random.one(members.slice(0, regulars));
  return {
    name: 'redeploy',
    target: member.name,
    text: `${member.name} leaves and comes back`,
    async run() {
      await member.leave();
      await member.start();
    },
  };
};
