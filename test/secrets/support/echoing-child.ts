import { createInterface } from 'node:readline';
import { type Asked, EchoingServer, messagesFor } from './echoing-server.js';

// The careless server as a child process: the credential is in its environment, and it writes it to its standard error.

const credential = process.env['API_TOKEN'] ?? '';
const server = new EchoingServer('legacy');
const questions = new Map<unknown, Asked>();

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

console.error(`started with ${credential}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line) as Asked;
  const question = questions.get(asked.id);
  if (asked.method === undefined && question) write(messagesFor({ result: { content: [] } }, question, 'legacy')[0]!);
  if (asked.method === undefined || asked.id === undefined) return;
  const answer = server.answer(asked, credential);
  for (const message of messagesFor(answer, asked, 'legacy')) write(message);
  if ('question' in answer) questions.set(`q${asked.id}`, asked);
});
