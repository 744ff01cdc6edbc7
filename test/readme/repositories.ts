import { type DynamicModule, Global, Injectable, Module } from '@nestjs/common';
import { type ActivationScope, type CacheEntry, ResultCache } from '@tool-search/core/stores';
import { ActivationEntity, ActivationRepository, ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { Column, Entity, type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

// #region list
@Injectable()
export class ToolsOfUsers {
  constructor(private readonly activations: ActivationRepository) {}

  /** What a user has activated in all runs and sessions, the newest first. */
  list(tenantId: string, userId: string): Promise<ActivationEntity[]> {
    return this.activations.find({
      where: { tenantId, userId },
      order: { activatedAt: 'DESC', tool: 'ASC' },
      take: 100,
    });
  }
}
// #endregion list

// #region extend
export class TenantActivations extends ActivationRepository {
  /** The tools that are active in most of a tenant's runs and sessions. */
  mostActive(tenantId: string, limit = 10): Promise<{ tool: string; scopes: number | string }[]> {
    return this.createQueryBuilder('activation')
      .select('activation.tool', 'tool')
      .addSelect('COUNT(*)', 'scopes')
      .where({ tenantId })
      .groupBy('activation.tool')
      .orderBy('scopes', 'DESC')
      .addOrderBy('activation.tool')
      .limit(limit)
      .getRawMany();
  }
}

@Module({
  providers: [
    {
      provide: TenantActivations,
      inject: [ActivationRepository],
      useFactory: ({ target, manager }: ActivationRepository) => new TenantActivations(target, manager),
    },
  ],
})
export class ReportModule {}
// #endregion extend

// #region column
const TABLE = 'tool_search_activations';

/** An activation with a column of this application. */
@Entity(TABLE)
export class StarredActivation extends ActivationEntity {
  @Column('boolean', { name: 'app_starred', default: false }) readonly starred: boolean;
}

export class AddStarred1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(TABLE, new TableColumn({ name: 'app_starred', type: 'boolean', default: false }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(TABLE, 'app_starred');
  }
}

export class StarredActivations extends ActivationRepository<StarredActivation> {
  async star({ tenantId, userId, scope, scopeId }: ActivationScope, tool: string): Promise<boolean> {
    const { affected } = await this.update({ tenantId, userId, scope, scopeId, tool }, { starred: true });
    return affected === 1;
  }

  starredBy(tenantId: string, userId: string): Promise<StarredActivation[]> {
    return this.find({ where: { tenantId, userId, starred: true }, order: { tool: 'ASC' } });
  }
}
@Module({})
export class StarsModule {
  /** @param place `{ database: 'tools.sqlite' }` or `{ url: 'postgres://…' }` */
  static forRoot(place: { database: string } | { url: string }): DynamicModule {
    const entities = [StarredActivation];
    const stars = {
      provide: StarredActivations,
      inject: [ActivationRepository],
      useFactory: ({ manager }: ActivationRepository) => new StarredActivations(StarredActivation, manager),
    };
    return {
      module: StarsModule,
      imports: [ToolSearchTypeOrmModule.forRoot({ ...place, entities, migrations: [AddStarred1764547200000] })],
      providers: [stars],
      exports: [stars],
    };
  }
}
// #endregion column

// #region replace
/** Stands for a store that several instances share. */
@Injectable()
export class SharedResults extends ResultCache {
  readonly #entries = new Map<string, CacheEntry & { readonly endsAt: number }>();

  override async read(tenantId: string, key: string): Promise<string | undefined> {
    const entry = this.#entries.get(`${tenantId} ${key}`);
    return entry && entry.endsAt > Date.now() ? entry.text : undefined;
  }

  override async write(entry: CacheEntry): Promise<void> {
    this.#entries.set(`${entry.tenantId} ${entry.key}`, { ...entry, endsAt: Date.now() + entry.ttlMs });
  }

  override async remove(tenantId: string, key: string): Promise<void> {
    this.#entries.delete(`${tenantId} ${key}`);
  }

  override async removeTools(tenantId: string, isMeant: (tool: string) => boolean): Promise<void> {
    for (const [key, entry] of this.#entries) {
      if (entry.tenantId === tenantId && isMeant(entry.tool)) this.#entries.delete(key);
    }
  }
}

/** Import it before `ToolSearchTypeOrmModule`. */
@Global()
@Module({
  providers: [{ provide: ResultCache, useClass: SharedResults }],
  exports: [ResultCache],
})
export class OwnStoresModule {}
// #endregion replace
