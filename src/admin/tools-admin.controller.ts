import { Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { ToolAdminController } from '@tool-search/admin';
import { BearerGuard } from '../auth/bearer.guard.js';

/** The operators' routes, for users with the role `admin`. */
@Controller('admin/tools')
@UseGuards(BearerGuard)
@ApiBearerAuth()
export class ToolsAdminController extends ToolAdminController {}
