import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Module,
  Post,
  type RawBodyRequest,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { AuditTrail, isToolSearchError, KillSwitches, Tool, ToolSearchModule } from '@tool-search/core';
import type { Request } from 'express';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { userOf } from '../users.js';

@Injectable()
export class BillingTools {
  @Tool({ description: 'Refund an invoice.', sideEffects: 'write' })
  refund() {
    return 'refunded';
  }
}

/** The secret that your chat and this application share. */
const secret = () => process.env.CHAT_SIGNING_SECRET ?? 'a secret for this example';
const MAX_AGE_S = 300;

/** Lets a request in that the chat has signed a moment ago, as Slack does. Needs `rawBody: true` of the application. */
@Injectable()
export class SignedByChat implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { headers, rawBody = Buffer.alloc(0) } = execution.switchToHttp().getRequest<RawBodyRequest<Request>>();
    const at = String(headers['x-slack-request-timestamp']);
    const age = Math.abs(Date.now() / 1000 - Number(at));
    const given = Buffer.from(String(headers['x-slack-signature']));
    const expected = Buffer.from(signatureOf(at, rawBody));
    if (!(age < MAX_AGE_S) || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new UnauthorizedException();
    }
    return true;
  }
}

const signatureOf = (at: string, body: string | Buffer) =>
  `v0=${createHmac('sha256', secret()).update(`v0:${at}:`).update(body).digest('hex')}`;

/** Who may turn tools off in the chat. The chat has authenticated them. */
const OPERATORS = new Set(['olga']);

interface SlashCommand {
  readonly user_id: string;
  readonly text: string;
  readonly trigger_id: string;
}

/** `/tools off billing.* refunds twice` and `/tools on billing.* mended`. */
@Controller('chat/commands')
@UseGuards(SignedByChat)
export class ChatCommands {
  constructor(private readonly killSwitches: KillSwitches) {}

  @Post()
  @HttpCode(200)
  async run(@Body() { user_id: user, text, trigger_id: idempotencyKey }: SlashCommand): Promise<string> {
    if (!OPERATORS.has(user)) return `${user} is no operator.`;
    const [, verb, value = '', reason = ''] = /^(on|off) (\S+) (.+)$/.exec(text) ?? [];
    // The key makes a repeated request of the chat change nothing.
    const request = { actor: `${user}@chat`, reason, idempotencyKey };
    try {
      if (verb === 'off') {
        const kind = value.includes('*') ? 'glob' : 'tool';
        const { killSwitch } = await this.killSwitches.engage({ kind, value, ...request });
        return `${value} is off, ${killSwitch.matched} of the tools that exist.`;
      }
      const known = this.killSwitches.list().find((each) => each.value === value && each.tenantId === '');
      if (verb !== 'on' || !known) return 'off NAME REASON, or on NAME REASON of one that is off.';
      await this.killSwitches.release(known.id, { ...request, expectedRevision: known.revision });
      return `${value} is on.`;
    } catch (error) {
      if (!isToolSearchError(error)) throw error;
      return `Nothing was changed: ${error.message}`;
    }
  }
}

@Module({
  imports: [ToolSearchModule.forRoot({ context: userOf })],
  providers: [BillingTools],
  controllers: [ChatCommands, AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, url, as } = await start(AppModule, { rawBody: true });
  let commands = 0;
  const command = async (user: string, text: string, sign = signatureOf) => {
    const body = new URLSearchParams({ user_id: user, text, trigger_id: `command ${++commands}` }).toString();
    const at = String(Math.floor(Date.now() / 1000));
    const response = await fetch(`${url}/chat/commands`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': at,
        'x-slack-signature': sign(at, body),
      },
      body,
    });
    return response.ok ? await response.text() : String(response.status);
  };
  const model = as('ada-token');

  say(`without a signature: ${await command('olga', 'off * now', () => 'v0=forged')}`);
  say(`hank: ${await command('hank', 'off billing.* because')}`);
  say(`the model calls: ${await model.call('billing.refund')}`);
  say(`olga, off: ${await command('olga', 'off billing.* it refunds twice')}`);
  say(`the model calls: ${await model.call('billing.refund')}`);
  say(`olga, everything: ${await command('olga', 'off * a bad day')}`);
  say(`olga, on: ${await command('olga', 'on billing.* it was mended')}`);
  say(`the model calls: ${await model.call('billing.refund')}`);
  for await (const { actor, action, subject, reason } of app.get(AuditTrail).entries()) {
    say(`audit: ${actor} ${action} ${subject}: ${reason}`);
  }
  await app.close();
}
