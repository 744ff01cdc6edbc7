import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IsOptionalButNotNull } from '../request/optional.decorator.js';
import { PageQuery } from '../request/page.js';

/** Query of `GET catalog`. */
export class CatalogQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'github', description: 'Tools of the source of this name.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 128)
  readonly source?: string;

  @ApiPropertyOptional({ example: 'billing', description: 'Tools of this namespace and of those below it.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 128)
  readonly namespace?: string;

  @ApiPropertyOptional({ example: 'billing.re', description: 'Tools whose name begins so.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 128)
  readonly q?: string;

  @ApiPropertyOptional({ example: 'acme', description: 'Tools open to this tenant, and the switches that meet it.' })
  @IsOptionalButNotNull()
  @IsString()
  @Length(1, 256)
  readonly tenantId?: string;
}
