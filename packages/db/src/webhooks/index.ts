export { claimDeliveries, type Delivery, type DeliveryEnd, endTry, queueDelivery } from './deliveries.ts';
