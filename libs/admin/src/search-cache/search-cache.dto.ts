import { ApiProperty } from '@nestjs/swagger';
import { GivenReason } from '../request/validation.decorators.js';

export class ClearCacheQuery {
  @GivenReason('the embedder was replaced') readonly reason: string;
}

export class CacheCleared {
  @ApiProperty({ description: 'Entries of the search cache.', example: 2 }) readonly removed: number;
}
