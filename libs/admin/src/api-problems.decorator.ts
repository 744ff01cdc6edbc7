import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { TOOL_SEARCH_ERROR_CODES, type ToolSearchErrorCode } from '@tool-search/core';
import { type Problem, statusOf } from '@tool-search/core/internal';
import type { Every } from './request/every.js';

export class ProblemBody implements Every<ProblemBody, Problem> {
  @ApiProperty({ enum: ['about:blank'] }) readonly type: 'about:blank';
  @ApiProperty({ example: 'Conflict' }) readonly title: string;
  @ApiProperty({ example: 409 }) readonly status: number;
  @ApiProperty({
    description: 'What happened.',
    example: 'Somebody else has changed the kill switch: it is at revision 12.',
  })
  readonly detail: string;
  @ApiProperty({ enum: [...TOOL_SEARCH_ERROR_CODES], enumName: 'ToolSearchErrorCode', example: 'REVISION_CONFLICT' })
  readonly code: ToolSearchErrorCode;
  @ApiPropertyOptional({
    description: 'What to do next.',
    example: 'Nothing was changed. Look at it again, and send its revision as expectedRevision.',
  })
  readonly hint?: string;
  @ApiPropertyOptional({ description: 'When to try again, in seconds; also the header Retry-After.', example: 5 })
  readonly retryAfterSeconds?: number;
  @ApiPropertyOptional({ description: 'The limit that refused a call.' }) readonly limit?: string;
}

/** Documents the error responses of a route by error code. Codes with the same status share one response. */
export function ApiProblems(...codes: readonly ToolSearchErrorCode[]): ClassDecorator & MethodDecorator {
  const statuses = [...new Set(codes.map(statusOf))];
  return applyDecorators(
    ApiExtraModels(ProblemBody),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: codes.filter((code) => statusOf(code) === status).join(', '),
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemBody) } } },
      }),
    ),
  );
}
