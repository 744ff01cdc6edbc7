import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { createDataSource } from '../src/database/create-data-source.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { TypeOrmLimitStore } from '../src/limits/typeorm-limit.store.js';

/** Runs a tool that never ends, under the limits of the given options, and prints `running` once it runs, until the process is killed. */
async function hold([url, options = '{}']: string[]): Promise<void> {
  const dataSource = await createDataSource(dataSourceOptions({ ...(url !== undefined && { url }) }));
  const run = () => {
    process.stdout.write('running\n');
    return new Promise<never>(() => {});
  };
  const { toolbox } = await openToolbox({
    sources: [new FakeSource('jobs', [{ name: 'run', timeoutMs: 3000, run }])],
    options: JSON.parse(options) as object,
    limitStore: new TypeOrmLimitStore(dataSource),
  });
  await toolbox.call('jobs.run', {});
}

void hold(process.argv.slice(2));
