package qd

// Sim is the simulated device, for tests.
const Sim = sim
