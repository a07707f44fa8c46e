export { toInstant, toLocal } from '@/time/local';
