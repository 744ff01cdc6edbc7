import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';

export class ClearCacheQuery {
  @ApiProperty({ minLength: 1, maxLength: 1000, example: 'the embedder was replaced' })
  @IsString()
  @Length(1, 1000)
  @Matches(/\S/, { message: 'reason must say why' })
  readonly reason: string;
}

export class CacheCleared {
  @ApiProperty({ description: 'Entries of the search cache.', example: 2 }) readonly removed: number;
}
