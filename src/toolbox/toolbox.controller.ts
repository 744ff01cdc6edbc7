import { Body, Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  type ActivateReply,
  type GetReply,
  RequestToolbox,
  type SearchReply,
  Toolbox,
  ToolSearchError,
  type ToolResult,
} from '@tool-search/core';
import type { Request } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import { ActivateBody, CallBody, GetBody, SearchBody } from './toolbox.requests.js';

/** The toolbox over plain HTTP, for agents in any language. */
@Controller('toolbox')
@UseGuards(BearerGuard)
@ApiTags('toolbox')
@ApiBearerAuth()
@ApiHeader({ name: 'x-session-id', required: false, description: 'A conversation; its activations are kept.' })
@ApiHeader({ name: 'x-run-id', required: false, description: 'One agent run; left out, a run lasts one request.' })
export class ToolboxController {
  @Get()
  @ApiOperation({ summary: 'What the model is given now' })
  async surface(@RequestToolbox() toolbox: Toolbox) {
    const { mode, revision, tools, meta } = await toolbox.surface();
    return {
      mode,
      revision,
      tools: tools.map(({ name, description, inputSchema, loading, active }) => ({
        name,
        description,
        inputSchema,
        loading,
        active,
      })),
      meta,
    };
  }

  @Post('search')
  @HttpCode(200)
  @ApiOperation({ summary: 'Find tools by what they can do' })
  search(@RequestToolbox() toolbox: Toolbox, @Body() body: SearchBody): Promise<SearchReply> {
    return toolbox.search(body);
  }

  @Post('get')
  @HttpCode(200)
  @ApiOperation({ summary: 'Read definitions' })
  get(@RequestToolbox() toolbox: Toolbox, @Body() { names, ...options }: GetBody): Promise<GetReply> {
    return toolbox.get(names, options);
  }

  @Post('activate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Activate tools for this session or run' })
  activate(@RequestToolbox() toolbox: Toolbox, @Body() { names }: ActivateBody): Promise<ActivateReply> {
    return toolbox.activate(names);
  }

  @Post('call')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Call a tool',
    description: 'A refusal is an answer for the model: 200 with ok: false and a code.',
  })
  async call(@RequestToolbox() toolbox: Toolbox, @Body() body: CallBody, @Req() request: Request): Promise<ToolResult> {
    if (typeof body.name !== 'string') {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'name must be the name of a tool.', {
        hint: 'Send {"name": "...", "arguments": {…}}.',
      });
    }
    const gone = new AbortController();
    const { res } = request;
    res?.once('close', () => res.writableFinished || gone.abort());
    return toolbox.call(body.name, body.arguments ?? {}, { signal: gone.signal });
  }
}
