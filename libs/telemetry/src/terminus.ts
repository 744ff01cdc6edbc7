export { type HealthOptions, ToolSearchHealthIndicator } from './terminus/tool-search-health.indicator.js';
