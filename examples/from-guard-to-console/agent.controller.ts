// #region agent
import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { RequestToolbox, Toolbox } from '@tool-search/core';
import { SignedInGuard } from './signed-in.guard.js';

@Controller('agent')
@UseGuards(SignedInGuard)
export class AgentController {
  @Get('tools')
  async tools(@RequestToolbox() toolbox: Toolbox) {
    const { tools } = await toolbox.surface(); // what a model would be shown now
    return tools.map(({ name }) => name);
  }

  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body() { query }: { query: string }) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() body: { name: string; arguments: unknown }) {
    return toolbox.call(body.name, body.arguments);
  }
}
// #endregion agent
