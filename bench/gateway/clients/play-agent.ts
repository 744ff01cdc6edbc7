import { type ModelTurn, type OfferedTool } from '../model/model-wire.js';
import { ScriptedModel } from '../model/scripted-model.js';
import { type AgentCommand, type AgentPlace, SERVER } from './agent.js';
import { configure, runAgent } from './run-agent.js';
import { KILL_BEFORE, type Played, STORY } from './story.js';

/**
 * Lets an agent sign in, and play the story in one session: a scripted model tells it which tool to call next.
 *
 * @param kill switches the tool off; it is called once, while the agent waits for the model
 */
export async function playAgent(
  commandOf: (place: AgentPlace) => AgentCommand,
  place: Omit<AgentPlace, 'modelUrl'>,
  kill: () => Promise<void>,
): Promise<Played> {
  let listed: readonly string[] = [];
  let results: readonly string[] = [];
  let killed: Promise<void> | undefined;
  const model = await ScriptedModel.start(async (turn: ModelTurn) => {
    // Agents also ask for titles and summaries, without the server's tools.
    const own = turn.offered.filter(isOwn);
    if (own.length === 0) return { text: 'Done.' };
    if (listed.length === 0) listed = own.map(({ name }) => name);
    if (turn.results.length > results.length) results = turn.results;
    const next = STORY[turn.results.length];
    const call = own.find(({ name }) => name.endsWith(next?.tool ?? 'no step'));
    if (!next || !call) return { text: 'Done.' };
    if (turn.results.length === KILL_BEFORE) await (killed ??= kill());
    return { call, arguments: next.arguments };
  });
  try {
    const command = commandOf({ ...place, modelUrl: model.url });
    configure(command, place.home);
    if (command.login) {
      const { code, output } = await runAgent({ ...command, ...command.login }, place);
      if (code !== 0) console.error(`the agent could not sign in, and ended with ${code}:\n${output}`);
    }
    const { code, output } = await runAgent(command, place);
    if (results.length < STORY.length) {
      console.error(`the agent ended with ${code} after ${results.length} of ${STORY.length} steps:
${output}`);
      for (const route of model.unknown) console.error(`the model has no route ${route}`);
    }
    return { listed, results };
  } finally {
    await model.close();
  }
}

// Agents put the name of the server in front of the tool, or into its namespace.
function isOwn({ name, namespace = '' }: OfferedTool): boolean {
  return `${namespace}${name}`.includes(SERVER);
}
