import { setTimeout } from 'node:timers/promises';
import type { SourceAnswer, ToolCall, ToolDeclaration } from '@tool-search/core';

/** A tool that a scenario of the conformance suite calls by its exact name. */
export interface FixtureTool {
  readonly declaration: ToolDeclaration;
  run(call: ToolCall, input: Readonly<Record<string, unknown>>): SourceAnswer | Promise<SourceAnswer>;
}

/** One transparent pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
// A header without samples.
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const PROGRESS_MS = 50;

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

/** The tools of the scenarios in which a tool only answers. */
export const FIXTURE_TOOLS: readonly FixtureTool[] = [
  answering('test_simple_text', 'Returns a text.', text('This is a simple text response for testing.')),
  answering('test_image_content', 'Returns an image.', { content: [image] }),
  answering('test_audio_content', 'Returns a sound.', {
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }),
  answering('test_embedded_resource', 'Returns a resource.', {
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  answering('test_multiple_content_types', 'Returns a text, an image and a resource.', {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  answering('test_error_handling', 'Always fails.', {
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  {
    declaration: { name: 'test_tool_with_progress', description: 'Reports its progress.', sideEffects: 'pure' },
    run: async (call) => {
      for (const done of [0, 50, 100]) {
        call.progress({ progress: done, total: 100 });
        await setTimeout(PROGRESS_MS);
      }
      return text('Done.');
    },
  },
  answering('test_logging_tool', 'Logs nothing, because nobody asked for a log level.', text('Done.')),
  {
    // The gateway itself asks: the tag makes it a tool whose calls the user confirms.
    declaration: { name: 'test_streaming_elicitation', description: 'Asks the user.', tags: ['confirm'] },
    run: () => text('Confirmed.'),
  },
  {
    declaration: {
      name: 'json_schema_2020_12_tool',
      description: 'Has a schema with keywords of JSON Schema 2020-12.',
      sideEffects: 'pure',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // The name of a keyword; nobody awaits a schema.
        // oxlint-disable-next-line unicorn/no-thenable
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
    },
    run: () => text('Done.'),
  },
];

/** A text answer. */
export function text(words: string): SourceAnswer {
  return { content: [{ type: 'text', text: words }] };
}

function answering(name: string, description: string, answer: SourceAnswer): FixtureTool {
  return { declaration: { name, description, sideEffects: 'pure' }, run: () => answer };
}
