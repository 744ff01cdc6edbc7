import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { MetaKind } from '../meta-tools/meta-tool-spec.js';
import type { ExposureMode, Surface } from './surface.js';

/** A model's surface at one step. */
export interface ShownStep {
  readonly context: ToolContext;
  /** The same object for all steps of one run on this process. */
  readonly run: object;
  /** The tools that a plain list would show; the same array as long as nothing changes. */
  readonly visible: readonly ToolDefinition[];
  readonly surface: Surface;
}

/** A model's call of a meta tool, with the answer. */
export interface MetaAnswer {
  readonly context: ToolContext;
  readonly kind: MetaKind;
  readonly input: unknown;
  readonly answer: unknown;
}

/** Counts the tokens of surfaces and of meta tool answers. Implemented by `TokenLedger`. Must not throw. */
export interface StepLedger {
  /** Whether steps in this mode are counted. */
  isOn(mode: ExposureMode): boolean;
  shown(step: ShownStep): void;
  answered(answer: MetaAnswer): void;
}
