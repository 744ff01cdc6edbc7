import { Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ToolSearchError, ToolSearchService } from '@tool-search/core';
import { ToolProfiles } from '@tool-search/core/operators';
import { AdminController, AdminDecision, AdminRead } from '../access/admin-route.decorator.js';
import { RemovalQuery } from '../request/change.dto.js';
import { Operator, type OperatorIdentity } from '../request/operator.decorator.js';
import { Cursor, isText, type Page, PageOf, PageQuery, type PageRequest, readPage } from '../request/page.js';
import { AdminBody, AdminParam, AdminQuery, type Checked } from '../request/request-part.decorator.js';
import {
  PreflightAnswer,
  PreflightBody,
  ProfileAnswer,
  profileAnswer,
  ProfileRemoved,
  SetProfileBody,
} from './profiles.dto.js';

const CURSOR = new Cursor('profiles', isText);

/** Routes for the profiles of the gateway. A profile can only restrict. */
@AdminController()
export class ProfilesController {
  constructor(
    @Inject(ToolProfiles) protected readonly profiles: ToolProfiles,
    @Inject(ToolSearchService) protected readonly toolSearch: ToolSearchService,
  ) {}

  @Get('profiles')
  @AdminRead('List profiles by name, those in options too', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: PageOf(ProfileAnswer) })
  listProfiles(@AdminQuery(PageQuery) query: PageQuery): Promise<Page<ProfileAnswer>> {
    const read = async (page: PageRequest<string>) => (await this.profiles.list(page)).map(profileAnswer);
    return readPage(query, CURSOR, ({ name }) => name, read);
  }

  @Get('profiles/:name')
  @AdminRead('A profile', 'NOT_FOUND', 'STORE_UNAVAILABLE')
  @ApiOkResponse({ type: ProfileAnswer })
  async profile(@AdminParam('name') name: string): Promise<ProfileAnswer> {
    const found = await this.profiles.find(name);
    if (found) return profileAnswer(found);
    throw new ToolSearchError('NOT_FOUND', 'There is no such profile.', { hint: 'List the profiles.' });
  }

  @Put('profiles/:name')
  @AdminDecision('Set a profile', 'REVISION_CONFLICT')
  @ApiOkResponse({ type: ProfileAnswer })
  async setProfile(
    @AdminParam('name') name: string,
    @AdminBody(SetProfileBody) { profile, ...body }: Checked<SetProfileBody>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ProfileAnswer> {
    const stored = await this.profiles.set(name, profile, { ...body, ...operator });
    return profileAnswer({ name, stored });
  }

  @Delete('profiles/:name')
  @AdminDecision('Remove a stored profile', 'NOT_FOUND', 'REVISION_CONFLICT', 'STATIC_POLICY')
  @ApiOkResponse({ type: ProfileRemoved })
  async removeProfile(
    @AdminParam('name') name: string,
    @AdminQuery(RemovalQuery) query: Checked<RemovalQuery>,
    @Operator() operator: OperatorIdentity,
  ): Promise<ProfileRemoved> {
    return { revision: await this.profiles.remove(name, { ...query, ...operator }) };
  }

  @Post('profiles/:name/preflight')
  @AdminRead(
    'Which of the tools that an agent needs a context can call there',
    'NOT_FOUND',
    'INVALID_CONTEXT',
    'INVALID_SESSION',
    'GATE_CLOSED',
    'STORE_UNAVAILABLE',
  )
  @ApiOkResponse({ type: PreflightAnswer })
  preflight(
    @AdminParam('name') name: string,
    @AdminBody(PreflightBody) { context, needs }: Checked<PreflightBody>,
  ): Promise<PreflightAnswer> {
    return this.toolSearch.preflight(name, context, needs);
  }
}
