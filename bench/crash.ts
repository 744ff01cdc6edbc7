import 'reflect-metadata';
import { runCrashes } from './scenarios/crash.scenario.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

main({
  purpose: 'Processes that are killed while they write to one SQLite file: no acknowledged write may be lost.',
  options: { rounds: count(200, 10_000) },
  run: ({ rounds }) => runCrashes(rounds),
  text: ({ rounds, acknowledged, lost, chainBroken }) =>
    `${rounds} processes killed while they wrote to one SQLite file, ${acknowledged} writes acknowledged:\n` +
    `${lost} lost, audit trail broken ${chainBroken} times`,
  fault: ({ lost, chainBroken }) =>
    lost + chainBroken > 0 ? 'an acknowledged write is lost, or the audit trail is broken' : undefined,
});
