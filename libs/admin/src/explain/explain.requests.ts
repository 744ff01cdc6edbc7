import { ApiProperty } from '@nestjs/swagger';
import type { ToolContext } from '@tool-search/core';
import { IsObject, IsString, Length } from 'class-validator';

const CONTEXT = {
  type: 'object',
  additionalProperties: true,
  description: "A context as the application's code would give it.",
  example: { tenantId: 'acme', userId: 'ada', roles: ['finance'] },
} as const;

class ToolBody {
  @ApiProperty({ example: 'billing.refund_invoice' })
  @IsString()
  @Length(1, 256)
  readonly tool: string;
}

/** Body of `POST explain`. */
export class ExplainBody extends ToolBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly context: ToolContext;
}

/** Body of `POST explain/diff`. */
export class ExplainDiffBody extends ToolBody {
  @ApiProperty(CONTEXT)
  @IsObject()
  readonly left: ToolContext;

  @ApiProperty({ ...CONTEXT, example: { tenantId: 'globex', userId: 'homer' } })
  @IsObject()
  readonly right: ToolContext;
}
