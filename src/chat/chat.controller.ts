import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequestToolbox, Toolbox } from '@tool-search/core';
import { IsString, Length } from 'class-validator';
import { BearerGuard } from '../auth/bearer.guard.js';
import { JsonBody } from '../json-body.decorator.js';
import { AgentService, type Reply } from './agent.service.js';

export class ChatBody {
  @IsString()
  @Length(1, 10_000)
  @ApiProperty({ example: 'Refund invoice inv_1001 with 25 euros' })
  readonly text: string;
}

/** An agent that finds, activates and calls tools for the user. */
@Controller('chat')
@UseGuards(BearerGuard)
@ApiTags('chat')
@ApiBearerAuth()
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post(':session')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask the agent' })
  @ApiParam({ name: 'session', description: 'The conversation; tools it has activated stay.' })
  chat(@RequestToolbox() toolbox: Toolbox, @JsonBody(ChatBody) { text }: ChatBody): Promise<Reply> {
    return this.agent.reply(text, toolbox);
  }
}
