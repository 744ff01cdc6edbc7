import { Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiProblems } from '@tool-search/admin';
import {
  type ActivateReply,
  type GetReply,
  type PauseReceipt,
  RequestToolbox,
  type ResumeReply,
  type SearchReply,
  Toolbox,
  ToolSearchError,
  type ToolResult,
} from '@tool-search/core';
import type { Request } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import { CheckedQuery, JsonBody } from '../json-body.decorator.js';
import {
  ActivateAnswer,
  CallSuccess,
  CallRefusal,
  GetAnswer,
  PauseAnswer,
  ResumeAnswer,
  SearchAnswer,
  SurfaceAnswer,
} from './toolbox.answers.js';
import { ActivateBody, CallBody, GetBody, ResumeBody, SearchBody, SurfaceQuery } from './toolbox.requests.js';

const BODY = ['INVALID_REQUEST', 'INVALID_ARGUMENTS', 'ARGUMENTS_TOO_LARGE'] as const;
const STATE = ['INVALID_SESSION', 'SESSION_REQUIRED', 'STORE_UNAVAILABLE'] as const;

/** The toolbox over plain HTTP, for agents in any language. */
@Controller('toolbox')
@UseGuards(BearerGuard)
@ApiTags('toolbox')
@ApiBearerAuth()
@ApiHeader({ name: 'x-session-id', required: false, description: 'A conversation; its activations are kept.' })
@ApiHeader({ name: 'x-run-id', required: false, description: 'One agent run; left out, a run lasts one request.' })
@ApiProblems('UNAUTHENTICATED')
export class ToolboxController {
  @Get()
  @ApiOperation({ summary: 'What the model is given now' })
  @ApiOkResponse({ type: SurfaceAnswer })
  @ApiProblems('INVALID_REQUEST', 'INVALID_ARGUMENTS', ...STATE)
  async surface(
    @RequestToolbox() toolbox: Toolbox,
    @CheckedQuery(SurfaceQuery) { text, mode: asked }: SurfaceQuery,
  ): Promise<SurfaceAnswer> {
    const request = { ...(text !== undefined && { text }), ...(asked !== undefined && { mode: asked }) };
    const { mode, reason, revision, tools, meta, prompt } = await toolbox.surface(request);
    return {
      mode,
      reason: reason.text,
      revision,
      tools: tools.map(({ name, description, inputSchema, loading, active }) => ({
        name,
        description,
        inputSchema,
        loading,
        active,
      })),
      meta,
      prompt,
    };
  }

  @Post('search')
  @HttpCode(200)
  @ApiOperation({ summary: 'Find tools by what they can do' })
  @ApiOkResponse({ type: SearchAnswer })
  @ApiProblems(
    ...BODY,
    ...STATE,
    'INVALID_QUERY',
    'QUERY_TOO_LONG',
    'INVALID_PATTERN',
    'PATTERN_UNSUPPORTED',
    'PATTERN_TOO_COSTLY',
  )
  search(@RequestToolbox() toolbox: Toolbox, @JsonBody(SearchBody) body: SearchBody): Promise<SearchReply> {
    return toolbox.search(body);
  }

  @Post('get')
  @HttpCode(200)
  @ApiOperation({ summary: 'Read definitions' })
  @ApiOkResponse({ type: GetAnswer })
  @ApiProblems(...BODY, ...STATE, 'TOO_MANY_NAMES', 'TOOL_NOT_AVAILABLE')
  get(@RequestToolbox() toolbox: Toolbox, @JsonBody(GetBody) { names, ...options }: GetBody): Promise<GetReply> {
    return toolbox.get(names, options);
  }

  @Post('activate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Activate tools for this session or run' })
  @ApiOkResponse({ type: ActivateAnswer })
  @ApiProblems(...BODY, ...STATE, 'TOO_MANY_NAMES', 'ACTIVATION_LIMIT')
  activate(
    @RequestToolbox() toolbox: Toolbox,
    @JsonBody(ActivateBody) { names }: ActivateBody,
  ): Promise<ActivateReply> {
    return toolbox.activate(names);
  }

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Keep what this run has in play until it is resumed' })
  @ApiOkResponse({ type: PauseAnswer })
  @ApiProblems(...STATE, 'GATE_CLOSED')
  pause(@RequestToolbox() toolbox: Toolbox): Promise<PauseReceipt> {
    return toolbox.pause();
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Bring back what a paused run had in play',
    description: 'As far as it is visible and unchanged today; on any instance that shares the database.',
  })
  @ApiOkResponse({ type: ResumeAnswer })
  @ApiProblems(...BODY, ...STATE, 'GATE_CLOSED', 'RUN_NOT_FOUND', 'RUN_DRIFTED')
  resume(@RequestToolbox() toolbox: Toolbox, @JsonBody(ResumeBody) body: ResumeBody): Promise<ResumeReply> {
    return toolbox.resume(body);
  }

  @Post('call')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Call a tool',
    description: 'A refusal is an answer for the model: 200 with ok: false and a code.',
  })
  @ApiExtraModels(CallSuccess, CallRefusal)
  @ApiOkResponse({ schema: { oneOf: [{ $ref: getSchemaPath(CallSuccess) }, { $ref: getSchemaPath(CallRefusal) }] } })
  @ApiProblems(...BODY, 'INVALID_SESSION')
  async call(
    @RequestToolbox() toolbox: Toolbox,
    @JsonBody(CallBody) body: CallBody,
    @Req() request: Request,
  ): Promise<ToolResult> {
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
