package plan

import "time"

// Lifetime is how long a plan that was never applied can be applied: 7 days.
const Lifetime = 7 * 24 * time.Hour

// Expired reports whether the plan's life is over.
func (p *Plan) Expired(now time.Time) bool { return now.Sub(p.CreatedAt) >= Lifetime }
