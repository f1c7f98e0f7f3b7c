//go:build cgo && llamacpp

#include "limits.h"

#include "operations.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

using seconds = std::chrono::duration<double>;

// rate returns how much f, called with the number of the thread, does in a second on all threads together, over about that
// time, or 0 if the threads cannot be started.
template <class F> double rate(int32_t threads, double time, F f) {
	using clock = std::chrono::steady_clock;
	std::atomic<int>    ready{0};
	std::vector<double> rates(threads);
	auto work = [&](int thread) {
		f(thread); // what is slow the first time
		for (ready++; ready < threads;) std::this_thread::yield();
		double     done  = 0;
		const auto began = clock::now();
		seconds    took{};
		do {
			done += f(thread);
			took = clock::now() - began;
		} while (took.count() < time);
		rates[thread] = done / took.count();
	};
	std::vector<std::thread> others;
	try {
		others.reserve(threads);
		for (int i = 1; i < threads; i++) others.emplace_back(work, i);
	} catch (const std::system_error &) {
		ready = threads; // lets go those that were started
		for (std::thread &o : others) o.join();
		return 0;
	}
	work(0);
	for (std::thread &o : others) o.join();
	double all = 0;
	for (double r : rates) all += r;
	return all;
}

} // namespace

extern "C" double nl2sql_limit_reading(int32_t threads, size_t bytes, double time) {
	const size_t part = bytes / threads / 4096 * 4096;
	if (part == 0) return 0;
	auto *memory = static_cast<char *>(aligned_alloc(2 << 20, (part * threads + (2 << 20) - 1) / (2 << 20) * (2 << 20)));
	if (memory == nullptr) return 0;
#ifdef __linux__
	madvise(memory, part * threads, MADV_HUGEPAGE); // as weights lie
#endif
	memset(memory, 1, part * threads);
	std::atomic<int32_t> used{0};
	const double all = rate(threads, time, [&](int thread) {
		used += nl2sql_kernels_set()->read(memory + thread * part, part);
		return double(part);
	});
	free(memory);
	return all;
}

extern "C" double nl2sql_limit_products(int32_t threads, double time) {
	return rate(threads, time, [](int) { return double(nl2sql_kernels_set()->peak(100000)); });
}
