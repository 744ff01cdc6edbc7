import { Body, Controller, Injectable, Module, Post, UseGuards } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import {
  RequiresTool,
  Tool,
  type ToolContext,
  type ToolDefinition,
  ToolSearchModule,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { z } from 'zod';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { SignedIn, userOf } from '../users.js';

const Payout = z.object({ cents: z.int().positive() });

@Injectable()
export class Payouts {
  pay(cents: number) {
    return `paid out ${cents} cents`;
  }
}

/** What a model may do … */
@Injectable()
export class PayoutTools {
  constructor(private readonly payouts: Payouts) {}

  @Tool({ description: 'Pay out the balance.', input: Payout, tags: ['money'], sideEffects: 'write' })
  payOut({ cents }: z.infer<typeof Payout>) {
    return this.payouts.pay(cents);
  }
}

/** … and the button for people that does the same. The decision about the tool is the decision about the route. */
@Controller('payouts')
@UseGuards(SignedIn)
export class PayoutController {
  constructor(private readonly payouts: Payouts) {}

  @Post()
  @RequiresTool('payout.pay_out')
  payOut(@Body() { cents }: { cents: number }) {
    return this.payouts.pay(cents);
  }
}

@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter((tool) => !tool.tags.includes('money') || roles.includes('pro'));
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({ context: userOf }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }),
  ],
  providers: [Payouts, PayoutTools, PlanPolicy],
  controllers: [PayoutController, AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const [ada, bob, olga] = [as('ada-token'), as('bob-token'), as('olga-token')];
  const press = async (user: typeof ada) => {
    const { status, body } = await user.post('payouts', { cents: 100 });
    return `${status} ${body.code ?? body}`;
  };
  say(`ada (pro) presses the button: ${await press(ada)}`);
  say(`bob (free) presses the button: ${await press(bob)}`);

  // One decision of an operator stops the model and the button.
  await olga.post('admin/tools/kill-switches', { kind: 'tool', value: 'payout.pay_out', reason: 'an incident' });
  say(`the tool is off, ada's model calls it: ${await ada.call('payout.pay_out', { cents: 100 })}`);
  say(`the tool is off, ada presses the button: ${await press(ada)}`);
  await app.close();
}
