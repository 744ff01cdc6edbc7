import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { RequestToolbox, Toolbox } from '@tool-search/core';
import { SignedIn } from './users.js';

/** Stands for your agent: what a model asks for arrives here as a request. */
@Controller('agent')
@UseGuards(SignedIn)
export class AgentController {
  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body() { query }: { query: string }) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() body: { name: string; arguments: unknown }) {
    return toolbox.call(body.name, body.arguments);
  }
}
